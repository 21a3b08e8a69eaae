export function GroupPage({ id }: { id: string }) {
  return (
    <h1>
      <bdi>{id}</bdi>
    </h1>
  );
}
