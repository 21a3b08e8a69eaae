import { Dialog } from '../ui/dialog.tsx';
import { proposed } from './change.ts';

export function ChangeDialog() {
  const change = proposed.use();
  if (!change) return null;
  return (
    <Dialog title={change.kind} onClose={() => proposed.set(undefined)}>
      <p>{change.userIds.length}</p>
    </Dialog>
  );
}
