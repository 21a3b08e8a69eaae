import './styles/page.css';
import { render } from 'preact';
import { App } from './app.tsx';
import { preferredLanguage, useLanguage } from './language/language.ts';
import { languageVersion } from './language/show-in.ts';
import { reconnect } from './service.ts';
import { checkToken, followOpenId } from './session/check-token.ts';
import { takeTokenOfAddress } from './session/session.ts';

function Root() {
  return <App key={languageVersion.use()} />;
}

async function start(): Promise<void> {
  // Taken away before anything can see it.
  const token = takeTokenOfAddress();
  await useLanguage(preferredLanguage()).catch(() => useLanguage('en'));
  reconnect();
  if (token) void checkToken(token);
  followOpenId();
  render(<Root />, document.getElementById('page') as HTMLElement);
}

void start();
