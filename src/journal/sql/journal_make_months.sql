-- Makes the partitions of the log for this month and so many further ones, and for each month of which the default
-- partition has entries: it moves them. So the default partition is empty afterwards, until a month comes that nobody
-- made. If a wrong clock has carried the journal ahead, the months count from that of the head.
--
-- Only the owner of the tables can call it.
--
-- Locks: if anything is to be made, all partitions of the log, so that nothing is sealed or read meanwhile.
-- Returns nothing.
CREATE OR REPLACE FUNCTION journal_make_months(ahead integer) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  this CONSTANT bigint := journal_month(clock_timestamp());
  last CONSTANT bigint := GREATEST(this, (SELECT position >> 40 FROM journal_head)) + ahead;
  logs CONSTANT text[] := ARRAY['journal_changes', 'journal_subjects', 'journal_personal'];
  log text;
  caught bigint[];
  month bigint;
  part text;
BEGIN
  IF NOT EXISTS (SELECT FROM journal_changes_default) AND NOT EXISTS (
    SELECT FROM unnest(logs) AS named CROSS JOIN generate_series(this, last) AS made
    WHERE to_regclass(named || to_char(date '2020-01-01' + made::integer * interval '1 month', '_YYYY_MM')) IS NULL
  ) THEN
    RETURN;
  END IF;
  LOCK TABLE journal_changes, journal_subjects, journal_personal IN ACCESS EXCLUSIVE MODE;
  FOREACH log IN ARRAY logs LOOP
    EXECUTE format('SELECT array_agg(DISTINCT position >> 40) FROM %I', log || '_default') INTO caught;
    FOR month IN SELECT generate_series(this, last) UNION SELECT unnest(caught) ORDER BY 1 LOOP
      part := log || to_char(date '2020-01-01' + month::integer * interval '1 month', '_YYYY_MM');
      CONTINUE WHEN to_regclass(part) IS NOT NULL;
      EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING ALL)', part, log);
      IF month = ANY (caught) THEN
        EXECUTE format('ALTER TABLE %I DISABLE TRIGGER USER', log || '_default');
        EXECUTE format('WITH moved AS (DELETE FROM %I WHERE position >> 40 = $1 RETURNING *)'
          ' INSERT INTO %I SELECT * FROM moved', log || '_default', part) USING month;
        EXECUTE format('ALTER TABLE %I ENABLE TRIGGER USER', log || '_default');
      END IF;
      EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%s) TO (%s)', log, part, month << 40,
        (month + 1) << 40);
      CONTINUE WHEN log = 'journal_personal';
      EXECUTE format('CREATE TRIGGER %I BEFORE UPDATE OR DELETE OR TRUNCATE ON %I FOR EACH STATEMENT'
        ' EXECUTE FUNCTION journal_refuse()', part || '_append_only', part);
    END LOOP;
  END LOOP;
END $$;
