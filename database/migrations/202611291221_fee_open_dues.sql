-- Open dues are asked for by `paid < net`. The index had the sum in place of `net`, so no statement used it, and lists and
-- counts of balances read every due of every year.
drop index fee_due_open;
create index fee_due_open on fee_due (due_on) include (account_id, net, paid) where paid < net;
