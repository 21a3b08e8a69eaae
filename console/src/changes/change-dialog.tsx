import { proposed } from './change.ts';
import { ChangeForm } from './change-form.tsx';
import { proposedUndoing } from './undo.ts';
import { UndoForm } from './undo-form.tsx';
import { useUndoKey } from './undo-last.ts';

/** The dialogs in which changes are made and undone: `propose` and `undoRequest` open them. */
export function ChangeDialog() {
  const change = proposed.use();
  const act = proposedUndoing.use();
  useUndoKey();
  if (change) return <ChangeForm change={change} />;
  return act ? <UndoForm act={act} key={act.key} /> : null;
}
