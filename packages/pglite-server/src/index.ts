export { type EmbeddedDatabase, findEmbeddedDatabase, openEmbeddedDatabase } from './embedded-database';
export { isDatabaseIn } from './engine';
export { DataDirError, DataDirInUseError } from './folder-errors';
export { makeSnapshots, readSnapshot, readSnapshotBlob, snapshotFile } from './snapshots';
