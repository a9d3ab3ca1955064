-- A row's number and time are the database's to give: the application can write no entry for another moment.
revoke insert on audit from shala_app;
grant insert (actor, action, entity, entity_id, version, request_id, address, details, account_id, role, session, result)
  on audit to shala_app;
