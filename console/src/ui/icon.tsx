/** Outlines of 16 by 16, drawn with one stroke. */
const PATHS = {
  user: 'M8 8a2.700 2.700 0 1 0 0-5.400A2.700 2.700 0 0 0 8 8zM2.500 13.500c0-2.200 2.200-3.500 5.500-3.500s5.500 1.300 5.500 3.500',
  workspace: 'M2 5h12v8.500H2zM5.500 5V2.500h5V5M2 9h12',
  group:
    'M6 8a2.300 2.300 0 1 0 0-4.600A2.300 2.300 0 0 0 6 8zM1.500 13c0-2 1.700-3 4.500-3s4.500 1 4.500 3M10.500 3.500a2.300 2.300 0 0 1 0 4.400M12.200 10.200c1.500.400 2.300 1.300 2.300 2.800',
  permission: 'M10 9.500a3.500 3.500 0 1 0-3-3L2 11.500V14h2.500v-1.500H6V11h1.500z',
  in: 'M6.500 2.500h7v11h-7M1.500 8h8M7 5.500L9.500 8 7 10.500',
  out: 'M9.500 2.500h-7v11h7M6 8h8.500M12 5.500L14.500 8 12 10.500',
  suspend: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM4 4l8 8',
  activate: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM5.500 8.200l1.800 1.800 3.300-3.700',
  type: 'M8 13.500v-11M3.500 7L8 2.500 12.500 7',
  add: 'M8 3v10M3 8h10',
  edit: 'M2.500 13.500l.7-3 8-8 2.300 2.300-8 8zM9.500 4.200l2.300 2.300',
  remove: 'M2.500 4.500h11M6 4.500v-2h4v2M4 4.500l.6 9h6.800l.6-9M6.700 7v4M9.300 7v4',
  link: 'M6.500 9.500a2.800 2.800 0 0 0 4 0l2.300-2.300a2.800 2.800 0 0 0-4-4L7.700 4.300M9.500 6.500a2.800 2.800 0 0 0-4 0L3.200 8.800a2.800 2.800 0 0 0 4 4l1.100-1.100',
  start: 'M2.500 7.500L8 2.500l5.500 5M4 6.500v7h8v-7M6.800 13.500V10h2.400v3.500',
  history: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 4.500V8l2.500 1.500',
  connection: 'M5.500 2.500v3M10.500 2.500v3M3.500 5.500h9V8a4.500 4.500 0 0 1-9 0zM8 12.500v2',
  webhook: 'M14 2L7 9M14 2l-4.500 12L7 9 2 6.500z',
} as const;

export type IconName = keyof typeof PATHS;

/** A picture beside words that say the same. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}

const TINTS = 8;
/** The same name has the same tint everywhere. */
const tintOf = (name: string): number =>
  [...name].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 9973, 7) % TINTS;

/** The mark of the product. */
export function Mark() {
  return (
    <svg class="mark" viewBox="0 0 24 24" aria-hidden="true">
      <rect width="24" height="24" rx="6" />
      <path d="M12 11.500a3.200 3.200 0 1 0 0-6.400 3.200 3.200 0 0 0 0 6.400zM5.500 19c0-3.200 2.700-5 6.500-5s6.500 1.800 6.500 5" />
    </svg>
  );
}

/** The first letters of a name, for those who find people by the look of a line. */
export function Initials({ name }: { name: string }) {
  const words = name.trim().split(/\s+/);
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map((word) => [...(word ?? '')][0] ?? '');
  return (
    <span class={`initials tint-${tintOf(name)}`} aria-hidden="true">
      {letters.join('').toLocaleUpperCase()}
    </span>
  );
}
