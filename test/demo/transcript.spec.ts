import { Transcript } from '../../src/demo/transcript';

function write(coloured: boolean, tell: (transcript: Transcript) => void): { text: string; transcript: Transcript } {
  let text = '';
  const transcript = new Transcript((more) => (text += more), coloured, new AbortController().signal);
  tell(transcript);
  return { text, transcript };
}

describe('the transcript of the demo', () => {
  it('numbers its steps, marks its checks and ends with the verdict', () => {
    const { text, transcript } = write(false, (told) => {
      told.step('First.');
      told.check('It holds', { a: [1] }, { a: [1] });
      told.step('Second.');
      told.check('It does not', [1, 2], [1, 3]);
      told.end();
    });
    expect(transcript.differences).toEqual(['It does not']);
    expect(text).toBe(`
1. First.
   ✓ It holds

2. Second.
   ✗ It does not
     expected [1,3]
     but got  [1,2]

✗ 1 of 2 checks differed:
   It does not
`);
  });

  it('has colours only on a terminal that wants them', () => {
    const tell = (told: Transcript) => {
      told.title('Title');
      told.step('Step.');
      told.say('why');
      told.request('$ curl');
      told.answer('200');
      told.check('good', 1, 1);
      told.check('bad', 1, 2);
      told.end();
    };
    const coloured = write(true, tell).text;
    expect(coloured).toContain('\u001b[32m✓ good\u001b[39m\n');
    expect(coloured).toContain('\u001b[31m✗ bad\u001b[39m\n');
    expect(coloured.replace(/\u001b\[\d+m/g, '')).toBe(write(false, tell).text);
  });

  it('ends at the step at which it is stopped', () => {
    const stopping = new AbortController();
    const transcript = new Transcript(() => undefined, false, stopping.signal);
    transcript.step('First.');
    stopping.abort('SIGINT');
    expect(() => transcript.step('Second.')).toThrow('SIGINT');
  });
});
