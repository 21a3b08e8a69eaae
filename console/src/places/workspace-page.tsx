export function WorkspacePage({ id }: { id: string }) {
  return (
    <h1>
      <bdi>{id}</bdi>
    </h1>
  );
}
