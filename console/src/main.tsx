import { render } from 'preact';
import { App } from './app.tsx';
import { preferredLanguage, useLanguage } from './language/language.ts';
import { languageVersion } from './show-in.ts';
import { reconnect } from './service.ts';
import { takeTokenOfAddress } from './session/session.ts';
import { beginSession } from './session/begin-session.ts';
import { showTheme } from './theme.ts';
import { watchEnd } from './session/watch-end.ts';

function Root() {
  return <App key={languageVersion.use()} />;
}

async function start(): Promise<void> {
  // Taken away before anything can see it.
  const token = takeTokenOfAddress();
  showTheme();
  await useLanguage(preferredLanguage()).catch(() => useLanguage('en'));
  reconnect();
  void beginSession(token);
  watchEnd();
  render(<Root />, document.getElementById('page') as HTMLElement);
}

void start();
