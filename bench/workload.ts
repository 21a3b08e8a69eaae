export const WORKLOAD_NAMES = ['A', 'B', 'C', 'D', 'E', 'F', 'L', 'U'] as const;
export type WorkloadName = (typeof WORKLOAD_NAMES)[number];

export interface Workload {
  name: WorkloadName;
  title: string;
  connections: number;
  /** The number of requests of each connection in a sample; without it, a sample ends by time. */
  requests?: number;
  expected: number;
  /** Whether the usual way is measured as well, and whether only once because it is slow. */
  usualWay: 'no' | 'once' | 'always';
  next(): string;
}
