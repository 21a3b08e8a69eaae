import { useEffect, useState } from 'preact/hooks';

/** Reads a value from outside of the components, and draws again when it has changed. */
export function useExternal<Value>(subscribe: (listener: () => void) => () => void, read: () => Value): Value {
  const [value, setValue] = useState(read);
  useEffect(() => {
    const update = () => setValue(() => read());
    update();
    return subscribe(update);
    // Both are functions of modules, which never change.
  }, []);
  return value;
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
}
