-- People are found by name in Latin, Gujarati and Devanagari script, and by number.
create extension if not exists pg_trgm;

-- Gujarati and Devanagari in Latin letters, as people write names: પટેલ and पटेल are "patel". Other text is unchanged.
create function romanise(words text) returns text language plpgsql immutable parallel safe strict as $$
begin
  if words !~ '[ऀ-ॿ઀-૿]' then return words; end if;
  -- ma-he-ta is written Mehta.
  words := regexp_replace(words, '([ક-હ])હે(?=[ક-હ][ા-ૌ])', '\1ેહ્', 'g');
  words := translate(words,
    'અઆઇઈઉઊઋઍએઐઑઓઔકખગઘઙચછજઝઞટઠડઢણતથદધનપફબભમયરલળવશષસહાિીુૂૃૅેૈૉોૌ્ંઁઃ઼૦૧૨૩૪૫૬૭૮૯',
    'अआइईउऊऋऍएऐऑओऔकखगघङचछजझञटठडढणतथदधनपफबभमयरलळवशषसहािीुूृॅेैॉोौ्ंँः़०१२३४५६७८९');
  words := translate(words, E'ः\u200C\u200D', '');
  words := regexp_replace(words, '[ंँ](?=[पफबभम])', 'म्', 'g');
  words := regexp_replace(words, '[ंँ]', 'न्', 'g');
  words := replace(words, 'ज्ञ', 'ग्न');
  -- A consonant without a vowel sign has the vowel a: not the last one of a word, and not where two others surround it.
  words := regexp_replace(words, '([क-ह]़?)(?![़ा-ौ्])', '\1ə', 'g');
  words := regexp_replace(words, '(^|[^्])([क-ह]़?)ə(?![ऀ-ॿə])', '\1\2', 'g');
  words := regexp_replace(words, '([अ-औा-ौə][क-ह]़?)ə(?=[क-ह]़?[ा-ौə])', '\1', 'g');
  words := regexp_replace(words, '[़्]', '', 'g');
  words := regexp_replace(words, '[खघझठढथधभ]', '\&h', 'g');
  words := regexp_replace(words, '[चछ]', 'ch', 'g');
  words := regexp_replace(words, '[शष]', 'sh', 'g');
  words := regexp_replace(words, '[ऐै]', 'ai', 'g');
  words := regexp_replace(words, '[औौ]', 'au', 'g');
  words := regexp_replace(words, '[ऋृ]', 'ri', 'g');
  return translate(words,
    'अआइईउऊऍएऑओकखगघङजझञटठडढणतथदधनपफबभमयरलळवसहािीुूॅेॉो०१२३४५६७८९ə',
    'aaiiuueeookkggnjjnttddnttddnpfbbmyrllvshaiiuueeoo0123456789a');
end $$;

-- The form in which people are searched: each word after a space, in Latin letters without accents, with one spelling for
-- sounds that are written in several ways. A name and what is typed for it are compared in this form.
create function search_key(words text) returns text language plpgsql immutable parallel safe strict as $$
begin
  words := lower(normalize(words, NFD));
  words := regexp_replace(words, E'[\u0300-\u036F]', '', 'g');
  -- Named in full, so that a copy by pg_dump can be restored.
  words := public.romanise(words);
  words := regexp_replace(words, '[[:space:][:punct:]]+', ' ', 'g');
  words := regexp_replace(words, '([a-z])(?=[0-9])|([0-9])(?=[a-z])', '\1\2 ', 'g');
  words := replace(words, 'ee', 'i');
  words := replace(words, 'oo', 'u');
  words := replace(words, 'ph', 'f');
  words := replace(words, 'ck', 'k');
  words := replace(words, 'chh', 'ch');
  words := replace(words, 'x', 'ksh');
  words := translate(words, 'wqz', 'vkj');
  words := replace(words, 'jh', 'j');
  words := regexp_replace(words, '([a-z])\1+', '\1', 'g');
  return ' ' || trim(words);
end $$;

alter table student add column search_key text not null generated always as
  (search_key(first_name || ' ' || middle_name || ' ' || last_name || ' ' || gr_no)) stored;
alter table staff add column search_key text not null generated always as
  (search_key(name || ' ' || employee_number)) stored;
-- Every search reads the list of pending entries from end to end, so it stays short (in kB).
create index on student using gin (search_key gin_trgm_ops) with (gin_pending_list_limit = 64);
create index on staff using gin (search_key gin_trgm_ops) with (gin_pending_list_limit = 64);
create index on staff using gin (mobile gin_trgm_ops) with (gin_pending_list_limit = 64);
