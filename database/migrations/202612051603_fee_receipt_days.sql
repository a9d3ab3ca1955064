-- Receipts are read by their day, of the whole school and not of one series, and payments by the day of their end.
create index on fee_receipt (receipt_date);
create index on fee_payment (ended_on) where ended_on is not null;
