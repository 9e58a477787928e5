-- A connection keeps its plan for checking to which prayer a day belongs. Made while there were few prayers, it read all of them for each
-- day of an import.
alter function private.record_prayed_days(uuid[], date[]) set enable_seqscan = off;
