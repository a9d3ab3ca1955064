-- Imports read a caste category, a religion and other legal categories by their letters, SEBC as SC, and remembered it. The next
-- file asks for each of these words again.
delete from import_word where field in ('casteCategoryId', 'religionId', 'categoryId', 'gender', 'bloodGroup', 'quota');
