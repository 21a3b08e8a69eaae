/** A storage of the browser. Where site data are blocked, the memory of this tab takes its place. */
class Kept {
  private readonly memory = new Map<string, string>();
  private readonly storage: Storage | undefined;

  constructor(open: () => Storage) {
    try {
      this.storage = open();
      this.storage.getItem('');
    } catch {
      this.storage = undefined;
    }
  }

  /** What is kept outlives this page. */
  get isLasting(): boolean {
    return this.storage !== undefined;
  }

  get(name: string): string | undefined {
    return this.memory.get(name) ?? this.storage?.getItem(name) ?? undefined;
  }

  set(name: string, value: string): void {
    try {
      if (this.storage) return this.storage.setItem(name, value);
    } catch {
      // It is full, or was blocked since.
    }
    this.memory.set(name, value);
  }

  remove(name: string): void {
    this.memory.delete(name);
    this.storage?.removeItem(name);
  }
}

/** Until this tab is closed. */
export const keptInTab = new Kept(() => sessionStorage);
/** Shared by all tabs. Never a token. */
export const keptInBrowser = new Kept(() => localStorage);
