// Traces, for `node --import`. docs/watch.md says how to install what this imports. Metrics stay at `/metrics`.
import { propagation, ROOT_CONTEXT, trace } from '@opentelemetry/api';
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import { PgInstrumentation } from '@opentelemetry/instrumentation-pg';
import { NodeSDK } from '@opentelemetry/sdk-node';

const http = new HttpInstrumentation({
  ignoreIncomingRequestHook: ({ url }) => /^\/(health|metrics)\b/.test(url),
  // The log and the events of webhooks then name this span, also if the caller sent no `traceparent`.
  requestHook: (span, { headers }) => headers && propagation.inject(trace.setSpan(ROOT_CONTEXT, span), headers),
  // As in the log: a path, a query or the URL of a receiver can contain a secret.
  startIncomingSpanHook: () => ({ 'url.path': '', 'url.query': '' }),
  startOutgoingSpanHook: ({ protocol, hostname }) => ({ 'url.full': `${protocol}//${hostname}` }),
  applyCustomAttributesOnSpan(span, { method, route }) {
    if (route) span.setAttribute('http.route', route.path).updateName(`${method} ${route.path}`);
  },
});
const pg = new PgInstrumentation({ requireParentSpan: true });

process.env.OTEL_BSP_SCHEDULE_DELAY ??= '500';
new NodeSDK({ instrumentations: [http, pg], metricReaders: [], logRecordProcessors: [] }).start();
