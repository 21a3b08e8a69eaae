-- Makes the temporary tables of an import, in which the whole file is compared with the directory, because a line may
-- refer to a later one. They end with the transaction.
--
-- `staged_records` has a row for each line, with the record as given; and line 0, with the key, for each user whom the
-- file does not name (`import-missing.ts`). `staged_links` has a row for each element of its lists. `import_locks` has
-- the locked records and how each is locked, `changed_permitting` the places and permissions by which types may change,
-- and `users_affected` everybody whose type may change. `records_before` and `users_before` have what was there before
-- the first write, and `import_entries` the changes for the journal, in the order of their steps.
--
-- Locks: nothing.
-- Returns nothing.
CREATE OR REPLACE FUNCTION create_import_tables() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  CREATE TEMPORARY TABLE staged_records (
    line integer NOT NULL,
    kind text COLLATE "C" NOT NULL,
    id varchar(255) COLLATE "C" NOT NULL,
    record jsonb NOT NULL,
    may_be_new boolean NOT NULL DEFAULT true,
    doubt text,
    user_key bigint
  ) ON COMMIT DROP;
  CREATE TEMPORARY TABLE staged_links (
    line integer NOT NULL,
    kind text COLLATE "C" NOT NULL,
    list text COLLATE "C" NOT NULL,
    id varchar(255) COLLATE "C" NOT NULL,
    target varchar(255) COLLATE "C" NOT NULL
  ) ON COMMIT DROP;
  CREATE TEMPORARY TABLE import_locks (
    kind text COLLATE "C",
    key bigint,
    strength integer NOT NULL,
    PRIMARY KEY (kind, key)
  ) ON COMMIT DROP;
  CREATE TEMPORARY TABLE changed_permitting (
    kind text COLLATE "C",
    id varchar(255) COLLATE "C",
    permissions varchar(255)[] COLLATE "C",
    PRIMARY KEY (kind, id)
  ) ON COMMIT DROP;
  CREATE TEMPORARY TABLE users_affected (id varchar(255) COLLATE "C" PRIMARY KEY) ON COMMIT DROP;
  CREATE TEMPORARY TABLE records_before (
    kind text COLLATE "C",
    id varchar(255) COLLATE "C",
    fields jsonb NOT NULL,
    PRIMARY KEY (kind, id)
  ) ON COMMIT DROP;
  CREATE TEMPORARY TABLE users_before (
    id varchar(255) COLLATE "C" PRIMARY KEY,
    fields jsonb
  ) ON COMMIT DROP;
  CREATE TEMPORARY TABLE import_entries (
    step smallint NOT NULL,
    number bigint GENERATED ALWAYS AS IDENTITY,
    change journal_new_change NOT NULL,
    PRIMARY KEY (step, number)
  ) ON COMMIT DROP;
END $$;
