import { useEffect, useState } from 'preact/hooks';

/**
 * Reads a value from outside of the components, and draws again when it has changed.
 *
 * @param of what `read` depends on
 */
export function useExternal<Value>(subscribe: (listener: () => void) => () => void, read: () => Value, of = ''): Value {
  const [, setValue] = useState(read);
  useEffect(() => {
    const update = () => setValue(() => read());
    update();
    return subscribe(update);
    // Both are functions of modules, which change with `of` alone.
  }, [of]);
  return read();
}

/** A value that components read by `use`. */
export class Store<Value> {
  private readonly listeners = new Set<() => void>();

  constructor(private value: Value) {}

  get(): Value {
    return this.value;
  }

  set(value: Value): void {
    this.value = value;
    for (const listener of [...this.listeners]) listener();
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  use(): Value {
    return useExternal(
      (listener) => this.subscribe(listener),
      () => this.value,
    );
  }

  /** A part of the value: the component is drawn again only if that changes. */
  usePart<Part>(part: (value: Value) => Part, of: string): Part {
    return useExternal(
      (listener) => this.subscribe(listener),
      () => part(this.value),
      of,
    );
  }
}
