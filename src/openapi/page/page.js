/* Starts Swagger UI, with the additions of this service. */
(() => {
  /** Signing in by an identity provider, from `swagger-sign-in.js`; undefined if the service has none. */
  const { organisation } = globalThis;
  /** The name of the security scheme in the document. */
  const SCHEME = 'bearer';
  const TOKEN = /eyJ[\w-]+\.[\w-]+\.[\w-]*/g;
  const MASK = '***';
  /** The event of an answer 401: the service may not accept the token any more. */
  const REFUSED = 'refused';
  /** What browsers, and Swagger UI for them, say about a request without an answer. */
  const NO_ANSWER = /Failed to fetch|NetworkError|Load failed/;
  const NOT_ANSWERED =
    '**The service did not answer.** If you requested a change, it is not known whether it was made. ' +
    'Please check before trying again.';

  /** What the person must know about signing in by the identity provider. */
  const NOTICE = 'notice';
  let notice = organisation?.isUnderWay ? 'Signing in …' : undefined;
  function setNotice(text) {
    notice = text;
    dispatchEvent(new Event(NOTICE));
  }

  /**
   * The token, until this tab is closed: under the name that the page for administrators gives it, which knows it as well. Swagger UI's own
   * place is shared by all tabs, and outlives them.
   */
  const KEPT = 'token';
  function inStorage(use) {
    try {
      return use(sessionStorage) ?? undefined;
    } catch {
      // Site data are blocked, or full: the token is in the memory of this page alone.
      return undefined;
    }
  }
  const keepToken = (token) => inStorage((storage) => storage.setItem(KEPT, token));
  const keptToken = () => inStorage((storage) => storage.getItem(KEPT));
  const forgetToken = () => inStorage((storage) => storage.removeItem(KEPT));

  /** Other tabs, also of the page for administrators. */
  const tabs = typeof BroadcastChannel === 'function' ? new BroadcastChannel('user-administration') : undefined;
  const SIGNED_OUT = 'signed_out';

  /** Swagger UI has a dark style, but does not follow the setting of the system. */
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const applyColorScheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
  dark.addEventListener('change', applyColorScheme);
  applyColorScheme();

  /**
   * Reads the token in the fragment of the address (`#token=...`), and removes it from the address bar and the history. A fragment
   * never leaves the browser.
   */
  function takeToken() {
    const token = new URLSearchParams(location.hash.slice(1)).get('token');
    if (token !== null) history.replaceState(null, '', location.pathname + location.search);
    return token;
  }

  const tokenOfAddress = takeToken();

  /**
   * Signs in with the token of the address. It asks before it replaces another token that has not expired: whoever can make
   * somebody open an address could otherwise make them act as somebody else.
   */
  function signIn(text) {
    const token = bareToken(text ?? '');
    const present = ui.authSelectors.authorized()?.getIn([SCHEME, 'value']);
    if (!token || token === present) return;
    const isInUse = present && !(claimsOf(present).exp * 1000 <= Date.now());
    const question = () =>
      `You are signed in as ${claimsOf(present).sub}. Sign in as ${claimsOf(token).sub} instead, with the token of this address?`;
    if (isInUse && !confirm(question())) return;
    organisation?.signOut();
    setNotice();
    ui.preauthorizeApiKey(SCHEME, token);
    keepToken(token);
  }

  /** Signs in with a token of the identity provider. It is never persisted, and removes any that was. */
  function signInWithOrganisation({ token, problem }) {
    setNotice(problem);
    if (!token) return;
    const present = ui.authSelectors.authorized()?.getIn([SCHEME, 'value']);
    if (present && claimsOf(present).sub !== claimsOf(token).sub) ui.authActions.logout([SCHEME]);
    forgetToken();
    ui.preauthorizeApiKey(SCHEME, token);
  }

  /** The path of a route under `/api`. The page can have a prefix, and an address that ends with a slash or `index.html`. */
  const pathOf = (route) => new URL(route, location.href.replace(/(\/(index\.html)?)?([?#].*)?$/, '')).pathname;

  /** Accepts also the whole header, and a token with a trailing line break. */
  const bareToken = (text) => text.trim().replace(/^(bearer\s+)+/i, '');

  /** Changes a request before it is sent and before it is shown as a curl command. */
  function prepareRequest(request) {
    const token = bareToken(request.headers?.Authorization ?? '');
    if (token) request.headers.Authorization = `Bearer ${token}`;
    // Swagger UI offers the example of NDJSON as one JSON text, in quotes.
    const isNdjson = /ndjson/.test(request.headers?.['Content-Type']);
    if (isNdjson && String(request.body).startsWith('"')) request.body = JSON.parse(request.body);
    // The current token replaces a placeholder (`"token": "<...>"`), so that the example works unchanged.
    if (token && typeof request.body === 'string') {
      request.body = request.body.replace(/("token"\s*:\s*)"<[^"]*>"/, (_match, key) => key + JSON.stringify(token));
    }
    return request;
  }

  const FIRST_HEADERS = ['x-request-id', 'etag', 'link'];
  /** What Helmet adds, and what concerns the connection. */
  const HIDDEN_HEADERS =
    /^(content-security-policy|cross-origin-|origin-agent|referrer-|strict-transport|x-(?!request-id)|cache-control|connection|content-length|date|keep-alive|transfer-encoding|vary)/;

  function fewHeaders(headers) {
    const rank = (name) => (FIRST_HEADERS.includes(name) ? FIRST_HEADERS.indexOf(name) : FIRST_HEADERS.length);
    return headers?.filter((_, name) => !HIDDEN_HEADERS.test(name)).sortBy((_, name) => rank(name));
  }

  /** As people write it, inside an object. */
  const literal = (value) =>
    JSON.stringify(value, null, 2)
      .replace(/^( *)"(\w+)":/gm, '$1$2:')
      .replaceAll('\n', '\n  ');

  function bodyInTypeScript(body) {
    try {
      return `JSON.stringify(${literal(JSON.parse(body))})`;
    } catch {
      return JSON.stringify(body);
    }
  }

  /** The request for a program, with nothing but what each runtime has. */
  function inTypeScript(request) {
    const { url, method, headers, body } = request.toJS();
    const lines = [`method: ${JSON.stringify(method)},`, `headers: ${literal(headers)},`];
    if (body) lines.push(`body: ${bodyInTypeScript(body)},`);
    const options = lines.map((line) => `  ${line}\n`).join('');
    return `const response = await fetch(${JSON.stringify(url)}, {\n${options}});\nconsole.log(response.status, await response.text());`;
  }

  /** The request as it is shown, to be copied: without tokens. */
  function masked(request) {
    const body = request.get('body');
    const shown = typeof body === 'string' ? request.set('body', body.replace(TOKEN, MASK)) : request;
    return shown.hasIn(['headers', 'Authorization'])
      ? shown.setIn(['headers', 'Authorization'], `Bearer ${MASK}`)
      : shown;
  }

  /** The claims of a token, unverified: they are only shown. */
  function claimsOf(token) {
    try {
      const [, payload = ''] = token.split('.');
      const bytes = Uint8Array.from(atob(payload.replace(/-/g, '+').replace(/_/g, '/')), (char) => char.charCodeAt(0));
      return JSON.parse(new TextDecoder().decode(bytes)) ?? {};
    } catch {
      return {};
    }
  }

  /** The time of day, with the date if it is not today. */
  function inWords(moment) {
    const isToday = moment.toDateString() === new Date().toDateString();
    return moment.toLocaleString([], isToday ? { timeStyle: 'short' } : { dateStyle: 'medium', timeStyle: 'short' });
  }

  /** Adds the labels for screen readers and the keyboard support that Swagger UI lacks. */
  function makeAccessible() {
    for (const control of document.querySelectorAll('#swagger-ui :is(select, textarea, input):not([aria-label])')) {
      const parameter = control.closest('tr[data-param-name]')?.dataset.paramName;
      const kind = control.matches('.examples-select-element')
        ? 'example'
        : control.matches('textarea')
          ? 'request body'
          : '';
      const name = [kind, parameter].filter(Boolean).join(' of ');
      if (name && !control.labels?.length) control.setAttribute('aria-label', name);
    }
    for (const region of document.querySelectorAll('#swagger-ui :is(.curl, pre):not([tabindex])')) region.tabIndex = 0;
    for (const tab of document.querySelectorAll('#swagger-ui .request-snippets .btn:not([role])')) {
      tab.setAttribute('role', 'button');
      tab.tabIndex = 0;
      tab.addEventListener('keydown', ({ key }) => key === 'Enter' && tab.click());
    }
  }

  /** A plugin of Swagger UI 5.33: https://swagger.io/docs/open-source-tools/swagger-ui/customization/plugin-api */
  function plugin({ React, getComponent }) {
    const h = React.createElement;

    /**
     * Shows the caller and the expiry of the token. It asks the service, because only the service knows whether it accepts the
     * token: when the token is new, when it expires, and after every answer 401. A token that is not accepted is removed.
     */
    function Session({ token, signOut }) {
      const [caller, setCaller] = React.useState();
      const [refused, setRefused] = React.useState();
      const { exp } = claimsOf(token || refused?.token || '');
      const asked = React.useRef();
      React.useEffect(() => {
        if (!token) return undefined;
        let isCurrent = true;
        const ask = async () => {
          const answer = await fetch(pathOf('me'), { headers: { authorization: `Bearer ${token}` } }).catch(() => ({}));
          const body = answer.ok && (await answer.json());
          if (!isCurrent) return;
          if (body) setCaller(body.id);
          if (answer.status !== 401) return;
          setRefused({ token, why: organisation?.whyRefused(token) });
          signOut();
        };
        // A renewed token is of the same caller.
        if (claimsOf(asked.current ?? '').sub !== claimsOf(token).sub) setCaller(undefined);
        asked.current = token;
        setRefused(undefined);
        ask();
        addEventListener(REFUSED, ask);
        const remaining = exp * 1000 - Date.now();
        // A browser would treat a longer delay as 0.
        const timer = remaining > 0 && remaining < 2 ** 31 && setTimeout(ask, remaining);
        return () => {
          isCurrent = false;
          removeEventListener(REFUSED, ask);
          clearTimeout(timer);
        };
      }, [token]);
      const end = new Date(exp * 1000);
      // An invalid date compares false: there may be no `exp`, or one beyond the range of dates.
      const time = end > 0 && h('time', { dateTime: end.toISOString() }, inWords(end));
      const say = (...words) => h('p', { className: 'session', role: 'status' }, ...words);
      if (token && caller) return say('Signed in as ', h('strong', null, caller), time && ' until ', time, '.');
      if (token) return say('Your token has not been checked yet.');
      if (notice) return say(notice);
      if (!refused) return say('You are not signed in.');
      if (refused.why) return say(refused.why);
      return time && end <= Date.now()
        ? say('Your token expired at ', time, '. Please sign in again.')
        : say('The service did not accept your token. Please sign in again.');
    }

    /** Asks for an access token. Without an identity provider, nobody can sign in by a name and a password here. */
    function SignIn() {
      const dialog = React.useRef();
      const close = () => dialog.current.close();
      const submit = (event) => {
        event.preventDefault();
        signIn(event.target.elements.token.value);
        event.target.reset();
        close();
      };
      const field = { name: 'token', type: 'password', required: true, autoComplete: 'off' };
      return h(
        React.Fragment,
        null,
        organisation &&
          h(
            'button',
            { type: 'button', className: 'btn authorize', onClick: () => organisation.begin() },
            'Sign in with your organisation',
          ),
        h(
          'button',
          { type: 'button', className: 'btn authorize', onClick: () => dialog.current.showModal() },
          organisation ? 'Use a token' : 'Sign in',
        ),
        h(
          'dialog',
          { ref: dialog, className: 'sign-in', 'aria-labelledby': 'sign-in' },
          h(
            'form',
            { onSubmit: submit },
            h('h2', { id: 'sign-in' }, 'Sign in'),
            h('label', null, 'Access token', h('input', field)),
            h(
              'p',
              null,
              'Paste the token of an administrator. This tab keeps it until you close it, sign out, or the token expires.',
            ),
            h('button', { type: 'submit', className: 'btn authorize' }, 'Sign in'),
            h('button', { type: 'button', className: 'btn', onClick: close }, 'Cancel'),
          ),
        ),
      );
    }

    function SessionBar({ authSelectors, authActions }) {
      const token = bareToken(authSelectors.authorized()?.getIn([SCHEME, 'value']) ?? '');
      const [, show] = React.useReducer((count) => count + 1, 0);
      React.useEffect(() => {
        addEventListener(NOTICE, show);
        return () => removeEventListener(NOTICE, show);
      }, []);
      const signOut = () => {
        organisation?.signOut();
        forgetToken();
        authActions.logout([SCHEME]);
      };
      const signOutEverywhere = () => {
        tabs?.postMessage({ kind: SIGNED_OUT });
        signOut();
      };
      React.useEffect(() => {
        const hear = ({ data }) => data.kind === SIGNED_OUT && signOut();
        tabs?.addEventListener('message', hear);
        return () => tabs?.removeEventListener('message', hear);
      }, []);
      const button = token
        ? h('button', { type: 'button', className: 'btn authorize', onClick: signOutEverywhere }, 'Sign out')
        : h(SignIn);
      return h('div', { className: 'session-bar' }, h(Session, { token, signOut }), button);
    }

    /** The events, which Swagger UI would show like operations of the service. */
    function Events({ specSelectors }) {
      const Markdown = getComponent('Markdown', true);
      const entry = ([type, requests]) =>
        h(
          React.Fragment,
          { key: type },
          h('dt', null, h('code', null, type)),
          h(
            'dd',
            null,
            requests.getIn(['post', 'summary']),
            h(Markdown, { source: requests.getIn(['post', 'description']) }),
          ),
        );
      return h(
        'section',
        { className: 'events' },
        h('h2', null, 'Events'),
        h('p', null, 'What webhooks can receive. Register a webhook above, and name the events that it is for.'),
        h('dl', null, specSelectors.specJson().get('webhooks').entrySeq().map(entry)),
      );
    }

    /** Whether executing an operation, with the parameters as they are, would change anything. */
    function Effect({ path, method, specSelectors }) {
      if (method === 'get') return null;
      const isPreview = String(specSelectors.parameterValues([path, method]).get('query.dryRun')) === 'true';
      return h('p', { className: 'effect', role: 'status' }, isPreview ? 'Preview only' : 'Changes data');
    }

    const withEffect = (Execute) =>
      function JudgedExecute(props) {
        const { path, method } = props;
        return h(React.Fragment, null, h(getComponent('Effect', true), { path, method }), h(Execute, props));
      };

    /** A documented response. Errors are folded, so that they do not hide the actual answer. */
    const folding = (Response) =>
      function FoldingResponse(props) {
        const { code, response } = props;
        const [isOpen, setOpen] = React.useState(/^2/.test(code));
        if (isOpen) return h(Response, props);
        const title = `${code} ${(response.get('description') ?? '').split('\n')[0].replaceAll('`', '')}`;
        const button = h('button', { type: 'button', className: 'folded', onClick: () => setOpen(true) }, title);
        return h('tr', null, h('td', { colSpan: 3 }, button));
      };

    const masking = (Snippets) => (props) => h(Snippets, { ...props, request: masked(props.request) });

    /** An answer without the headers that say nothing about it, and those that a person looks for first. */
    const withFewHeaders = (LiveResponse) =>
      function ReadableResponse(props) {
        const { response } = props;
        const readable = React.useMemo(() => response?.update('headers', fewHeaders), [response]);
        return h(LiveResponse, { ...props, response: readable });
      };

    return {
      components: { Effect },
      fn: {
        // Swagger UI's own is case-sensitive.
        opsFilter: (tags, text) => tags.filter((_, tag) => tag.toLowerCase().includes(text.toLowerCase())),
        requestSnippetGenerator_typescript: inTypeScript,
        // A file is text here. Swagger UI would ask for one instead of offering the example.
        isFileUploadIntended: () => false,
      },
      statePlugins: {
        spec: {
          wrapActions: {
            setResponse: (setResponse) => (path, method, result) => {
              const { status } = result.err?.response ?? result;
              if (status === 401) dispatchEvent(new Event(REFUSED));
              // Swagger UI would name causes that do not apply to a page of the service itself.
              if (NO_ANSWER.test(result.err?.message)) result.err.message = NOT_ANSWERED;
              return setResponse(path, method, result);
            },
          },
        },
      },
      wrapComponents: {
        AuthorizeBtnContainer: () => SessionBar,
        // The bar above signs in to all operations.
        authorizeOperationBtn: () => () => null,
        Webhooks: () => Events,
        execute: withEffect,
        liveResponse: withFewHeaders,
        RequestSnippets: masking,
        response: folding,
        // There is only one server to choose from.
        ServersContainer: () => () => null,
        // A link inside the button that opens the operation.
        DeepLink:
          () =>
          ({ text }) =>
            h('span', null, text),
      },
    };
  }

  const ui = SwaggerUIBundle({
    url: pathOf('docs-json'),
    dom_id: '#swagger-ui',
    deepLinking: true,
    presets: [SwaggerUIBundle.presets.apis],
    plugins: [plugin],
    layout: 'BaseLayout',
    filter: true,
    tryItOutEnabled: true,
    displayRequestDuration: true,
    defaultModelsExpandDepth: 0,
    defaultModelExpandDepth: 3,
    // By default, Swagger UI sends this document to a validator on the internet.
    validatorUrl: 'none',
    syntaxHighlight: { theme: 'tomorrow-night' },
    requestSnippetsEnabled: true,
    requestSnippets: {
      generators: {
        curl_bash: { title: 'curl', syntax: 'bash' },
        typescript: { title: 'TypeScript', syntax: 'javascript' },
      },
      languages: ['curl_bash', 'typescript'],
    },
    requestInterceptor: prepareRequest,
    onComplete() {
      const kept = keptToken();
      if (kept) ui.preauthorizeApiKey(SCHEME, kept);
      organisation?.finish(signInWithOrganisation);
      signIn(tokenOfAddress);
      makeAccessible();
      new MutationObserver(makeAccessible).observe(document.body, { childList: true, subtree: true });
      addEventListener('hashchange', () => signIn(takeToken()));
    },
  });
})();
