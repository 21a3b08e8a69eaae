import { type ComponentChildren, Fragment, type VNode } from 'preact';
import { type MessageKey, number, parts } from './language.ts';

/** A message whose placeholders are filled with elements, such as links. Each value is isolated: its direction does not change that of the sentence. */
export function rich(key: MessageKey, values: Record<string, ComponentChildren>): VNode {
  return (
    <>
      {parts(key, values).map((part, index) => (
        <Fragment key={index}>
          {typeof part === 'string' ? (
            part
          ) : typeof part.value === 'number' ? (
            number(part.value)
          ) : (
            <bdi>{part.value}</bdi>
          )}
        </Fragment>
      ))}
    </>
  );
}
