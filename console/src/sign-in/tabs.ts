/** What the tabs of this page tell each other. A browser delivers it to pages of the same origin alone. */
export type TabMessage =
  /** A new tab asks whether somebody is signed in. */
  | { kind: 'ask' }
  | TokenMessage
  | { kind: 'signed_out' }
  /** The provider has answered in a window that did not ask: the tab that did takes it. */
  | { kind: 'answer'; address: string }
  | { kind: 'taken'; address: string };

/** The token of a tab in which somebody is signed in. `renews`: that tab renews it. */
export interface TokenMessage {
  kind: 'token';
  token: string;
  source: TokenSource;
  renews: boolean;
}

/** Where a token came from. */
export type TokenSource = 'pasted' | 'provider';

/** How long another tab may take to answer. */
const ANSWER_MS = 250;

const channel = typeof BroadcastChannel === 'function' ? new BroadcastChannel('user-administration') : undefined;

export function tellTabs(message: TabMessage): void {
  channel?.postMessage(message);
}

export function hearTabs(listener: (message: TabMessage) => void): () => void {
  const hear = ({ data }: MessageEvent) => listener(data as TabMessage);
  channel?.addEventListener('message', hear);
  return () => channel?.removeEventListener('message', hear);
}

/** Asks the other tabs something. @returns the answer, or undefined after a moment */
export async function askTabs<Answer extends TabMessage>(
  question: TabMessage,
  isAnswer: (message: TabMessage) => message is Answer,
): Promise<Answer | undefined> {
  if (!channel) return undefined;
  return new Promise((resolve) => {
    const stop = hearTabs((message) => isAnswer(message) && end(message));
    const timer = setTimeout(() => end(undefined), ANSWER_MS);
    const end = (answer: Answer | undefined) => {
      stop();
      clearTimeout(timer);
      resolve(answer);
    };
    tellTabs(question);
  });
}
