-- Queues a delivery for each entry in the journal rows of a transaction, to each enabled webhook that subscribes to the action.
-- `journal_append_changes` calls it, so that changes, entries and deliveries are committed together.
--
-- Deliveries about one user are made in the order of their entries. Entries get their ids while their user is locked, so
-- those ids have the order of the changes.
--
-- Locks: nothing.
-- Returns nothing.
CREATE OR REPLACE FUNCTION queue_deliveries(appended_to smallint, first_number bigint, last_number bigint)
RETURNS void LANGUAGE sql AS $$
  INSERT INTO webhook_deliveries (subscription_id, entry_id, moment, subject)
  SELECT subscription.id, change.id + position, change.moment,
    COALESCE(change.user_ids[position + 1], change.user_id, change.workspace_id, '')
  FROM journal_changes AS change
  JOIN webhook_subscriptions AS subscription ON subscription.enabled AND change.action = ANY (subscription.events)
  CROSS JOIN generate_series(0, change.entries - 1) AS position
  WHERE change.chain = appended_to AND change.number BETWEEN first_number AND last_number
$$;
