import { traceContextOf } from '../src/request-id';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';
const of = (traceparent: string | undefined) => traceContextOf({ headers: { traceparent } });

it.each([
  `00-${TRACE}-${PARENT}-01`,
  `00-${TRACE}-${PARENT}-00`,
  `00-${TRACE}-${PARENT}-ff`,
  `01-${TRACE}-${PARENT}-01`,
  `cc-${TRACE}-${PARENT}-01-what-the-future-will-be`,
  `fe-${TRACE}-${PARENT}-01-`,
])('reads %s', (traceparent) => {
  expect(of(traceparent)).toEqual({ traceId: TRACE, traceparent });
});

it.each([
  undefined,
  '',
  `ff-${TRACE}-${PARENT}-01`,
  `ff-${TRACE}-${PARENT}-01-more`,
  `00-${TRACE}-${PARENT}-01-more`,
  `00-${TRACE}-${PARENT}-01-`,
  `00-${TRACE}-${PARENT}-01.`,
  `01-${TRACE}-${PARENT}-01.more`,
  `01-${TRACE}-${PARENT}-011`,
  `00-${TRACE}-${PARENT}-1`,
  `00-${TRACE}-${PARENT}`,
  `00-${'0'.repeat(32)}-${PARENT}-01`,
  `00-${TRACE}-${'0'.repeat(16)}-01`,
  `cc-${'0'.repeat(32)}-${PARENT}-01-more`,
  `00-${TRACE.toUpperCase()}-${PARENT}-01`,
  `00-${TRACE}-${PARENT.toUpperCase()}-01`,
  `0A-${TRACE}-${PARENT}-01`,
  `00-${TRACE.replace('a', 'g')}-${PARENT}-01`,
  `00_${TRACE}_${PARENT}_01`,
  `00-${TRACE}-${PARENT}-01 `,
  `00-${TRACE}-${PARENT}-01\n`,
  // Two headers, as Node joins them.
  `00-${TRACE}-${PARENT}-01, 00-${TRACE}-${PARENT}-01`,
  `cc-${TRACE}-${PARENT}-01-more, 00-${TRACE}-${PARENT}-01`,
  `cc-${TRACE}-${PARENT}-01-${'x'.repeat(201)}`,
])('ignores %j', (traceparent) => {
  expect(of(traceparent)).toBeUndefined();
});
