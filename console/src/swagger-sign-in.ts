import { OpenIdClient } from './sign-in/open-id-client.ts';
import type { SignInProblem } from './sign-in/problem.ts';

/** The sentences of `signIn.problem.*` in English, which the build puts here: Swagger UI has no other language. */
declare const PROBLEMS: Readonly<Record<SignInProblem['kind'], string>>;

const sentenceOf = ({ kind, name = '', code = '' }: SignInProblem): string =>
  PROBLEMS[kind].replace('{name}', () => name).replace('{code}', () => code);

type Listener = (news: { token?: string; problem?: string }) => void;

/** As `page.js` of Swagger UI uses it. The page has it only if the service has an identity provider. */
function forSwagger(organisation: OpenIdClient) {
  let tell: Listener = () => undefined;
  return {
    isUnderWay: organisation.isUnderWay,
    async begin(): Promise<void> {
      const problem = await organisation.begin();
      if (problem) tell({ problem: sentenceOf(problem) });
    },
    finish(listener: Listener): void {
      tell = listener;
      organisation.finish((news) => {
        if ('token' in news) tell(news);
        else if ('problem' in news) tell({ problem: sentenceOf(news.problem) });
      });
    },
    signOut: () => void organisation.signOut(),
    whyRefused(token: string): string | undefined {
      const problem = organisation.whyRefused(token);
      return problem && sentenceOf(problem);
    },
  };
}

const organisation = OpenIdClient.ofPage('/api/docs');
if (organisation) Object.assign(globalThis, { organisation: forSwagger(organisation) });
