-- Which records carry tags is said by the manifests of their features, and a test compares them with the columns of tag_link.
alter table tag_link drop constraint tag_link_entity_type_check;
alter table tag_link add constraint tag_link_entity_type_check check (length(entity_type) between 1 and 30);
alter table configuration_tag drop constraint configuration_tag_scopes_check;
alter table configuration_tag add constraint configuration_tag_scopes_check check (cardinality(scopes) > 0);
