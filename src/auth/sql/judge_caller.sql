-- Refuses a change whose caller is not an administrator any more. The guards of the routes judge callers when a request
-- arrives; a change judges its caller again, after its locks and before its first write.
--
-- Locks: as standing_of.
-- Returns nothing; raises UA003 for an inactive or unknown caller, and UA004 for any other user.
CREATE OR REPLACE FUNCTION judge_caller(actor_kind text, actor_id text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  standing CONSTANT text := standing_of(actor_kind, actor_id);
BEGIN
  IF standing = 'nobody' THEN
    RAISE EXCEPTION 'the caller has become inactive or unknown' USING ERRCODE = 'UA003';
  ELSIF standing <> 'administrator' THEN
    RAISE EXCEPTION 'the caller is no longer an administrator' USING ERRCODE = 'UA004';
  END IF;
END $$;
