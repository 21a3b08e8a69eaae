/** The client warns by it where there is a Node.js. */
declare const process: { emitWarning(warning: string, type: string): void } | undefined;
