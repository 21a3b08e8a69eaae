/** The package has no types. */
declare module 'pgpass' {
  interface Server {
    host: string;
    port: number;
    database: string;
    user: string;
  }
  function pgpass(server: Server, done: (password?: string) => void): void;
  namespace pgpass {
    /** Where warnings go instead of to standard error. */
    function warnTo(stream: NodeJS.WritableStream): unknown;
  }
  export = pgpass;
}
