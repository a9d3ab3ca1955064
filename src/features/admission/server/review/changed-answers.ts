import { type AnswerSection, hasField } from '../../contract/review.ts';

type Row = Record<string, unknown>;
type Copy = Record<string, unknown>;

/** The page of a frozen copy that holds the answers of a section. */
const pages: Record<AnswerSection, string> = {
  Child: 'basicInfo',
  Family: 'parentInfo',
  Health: 'health',
  Contacts: 'additionalInfo',
  Languages: 'language',
};

/** The question whose file a stored name refers to. */
const uploads: Record<string, string> = {
  admissionStudentImagePath: 'admissionStudentImageIFormFile',
  familyImagePath: 'FamilyImageIFormFile',
  divorceDocumentPath: 'DivorceDocumentIFormFile',
  adoptionDocumentPath: 'AdoptionDocumentIFormFile',
  vaccinationCardFilePath: 'VaccinationFileIFormFile',
};

/** The answers that differ between two submissions of one form. */
export function changedAnswers(before: Copy, after: Copy): { section: AnswerSection; field: string }[] {
  const changed = (Object.keys(pages) as AnswerSection[]).flatMap((section) => {
    const [old, current] = [before, after].map((copy) => (copy[pages[section]] ?? {}) as Row) as [Row, Row];
    return [...new Set([...Object.keys(old), ...Object.keys(current)])]
      .filter((name) => !isSame(old[name], current[name]))
      .map((name) => uploads[name] ?? name)
      .filter((field) => hasField(section, field))
      .map((field) => ({ section, field }));
  });
  if (!isSame(schoolsOf(before), schoolsOf(after))) changed.push({ section: 'Health', field: 'fromGrade' });
  // Two numbers can have one mask.
  const isMarked = changed.some(({ field }) => field === 'aadharCardNo');
  if (!isMarked && before.aadhaarMark && before.aadhaarMark !== after.aadhaarMark)
    changed.push({ section: 'Child', field: 'aadharCardNo' });
  return changed;
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one ?? '') === JSON.stringify(other ?? '');

const schoolsOf = ({ education }: Copy) =>
  ((education ?? []) as Row[]).map(({ fromGrade, toGrade, boardName, schoolName, city }) => [
    fromGrade,
    toGrade,
    boardName,
    schoolName,
    city,
  ]);
