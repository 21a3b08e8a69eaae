import { post } from './ask';
import { eventually } from './eventually';

export const USERS = Array.from({ length: 20 }, (_, index) => `user-${index}`);
const CALLERS = 2;

/** Callers that ask one process for changes of {@link USERS}, one after the other, until they are told to end. */
export class Load {
  readonly answers: string[] = [];
  private ends = false;
  private readonly callers: Promise<unknown>;

  constructor(
    private readonly url: string,
    private readonly token: string,
  ) {
    this.callers = Promise.all(Array.from({ length: CALLERS }, (_, index) => this.call(index)));
  }

  /** Waits for as many answers more. */
  async go(answers: number): Promise<void> {
    const enough = this.answers.length + answers;
    await eventually(() => expect(this.answers.length).toBeGreaterThanOrEqual(enough));
  }

  async end(): Promise<string[]> {
    this.ends = true;
    await this.callers;
    return this.answers;
  }

  private async call(first: number): Promise<void> {
    for (let turn = first; !this.ends; turn++) {
      const user = USERS[turn % USERS.length];
      await this.post('workspace-assign', { userIds: [user], workspaces: [turn % 2 ? 'atlas' : 'borealis'] });
      await this.post('manage-status', { id: user, token: this.token });
    }
  }

  private async post(path: string, body: object): Promise<void> {
    const told = post(`${this.url}/api/users/${path}`, body, { authorization: `Bearer ${this.token}` });
    this.answers.push(await told.then(({ status, text }) => `${status} ${text}`, String));
  }
}
