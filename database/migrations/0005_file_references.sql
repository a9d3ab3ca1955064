-- Whoever removes a file is asked which rows still refer to it; without these, each such table is read whole.
create index on admission_basic_info (photo_id);
create index on admission_parent_info (family_photo_id);
create index on admission_parent_info (divorce_document_id) where divorce_document_id is not null;
create index on admission_parent_info (adoption_document_id) where adoption_document_id is not null;
create index on admission_health (vaccination_card_id) where vaccination_card_id is not null;
