import { onStopSignals } from '../src/stop-on-signals';

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

it('a second stop signal within a second counts as the same one, whatever its name', () => {
  const clock = jest.spyOn(performance, 'now').mockReturnValue(5_000);
  const added = jest.spyOn(process, 'on');
  const heard: string[] = [];
  onStopSignals(
    () => heard.push('first'),
    () => heard.push('again'),
  );
  const listeners = added.mock.calls.filter(([name]) => SIGNALS.some((signal) => signal === name));
  const signal = (at: number, name: (typeof SIGNALS)[number]) => {
    clock.mockReturnValue(at);
    for (const [event, listener] of listeners) if (event === name) (listener as () => void)();
    return [...heard];
  };
  try {
    expect(signal(5_000, 'SIGTERM')).toEqual(['first']);
    expect(signal(5_000, 'SIGTERM')).toEqual(['first']);
    expect(signal(5_999, 'SIGINT')).toEqual(['first']);
    expect(signal(6_000, 'SIGINT')).toEqual(['first', 'again']);
    expect(signal(6_001, 'SIGTERM')).toEqual(['first', 'again', 'again']);
  } finally {
    for (const [event, listener] of listeners) process.off(event as string, listener as () => void);
    jest.restoreAllMocks();
  }
});
