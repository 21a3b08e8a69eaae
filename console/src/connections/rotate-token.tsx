import { useState } from 'preact/hooks';
import type { ScimConnection } from '@user-administration/client';
import { type MessageKey, t } from '../language/language.ts';
import { rich } from '../language/message.tsx';
import { service } from '../service.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Choices, Form } from '../ui/form.tsx';
import { errorAt, useSubmission } from '../ui/submit.ts';

/** For how many seconds the token before still works. */
const OVERLAPS: readonly (readonly [number, MessageKey])[] = [
  [0, 'connection.overlap.none'],
  [3_600, 'connection.overlap.hour'],
  [86_400, 'connection.overlap.day'],
];

/** Makes a new token. Which version the rest of the connection has does not matter for it. */
export function RotateToken({
  connection: { id, name },
  onClose,
  onDone,
}: {
  connection: ScimConnection;
  onClose: () => void;
  onDone: (token: string) => void;
}) {
  const [overlap, setOverlap] = useState(86_400);
  const submission = useSubmission((key) => service.scimConnections.rotateToken(id, { ...key, overlap }), onDone);
  return (
    <Dialog title={t('connection.rotate')} onClose={onClose}>
      <Form submission={submission} fields={['overlap']} action={t('connection.rotate')} onClose={onClose}>
        <p>{rich('connection.rotate_about', { name })}</p>
        <Choices legend={t('connection.overlap')} error={errorAt(submission.error, 'overlap')}>
          {OVERLAPS.map(([seconds, label]) => (
            <label key={seconds} class="choice">
              <input type="radio" name="overlap" checked={overlap === seconds} onChange={() => setOverlap(seconds)} />
              {t(label)}
            </label>
          ))}
        </Choices>
      </Form>
    </Dialog>
  );
}
