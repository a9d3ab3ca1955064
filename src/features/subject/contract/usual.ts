/** A subject that most schools teach, from one class to another: 1 is Class 1, -2 is Nursery. */
interface UsualSubject {
  name: string;
  code: string;
  kind: 'Scholastic' | 'Co-scholastic' | 'Language' | 'Vocational' | 'Activity';
  from: number;
  to: number;
  hasPractical?: true;
  /** The stream that it is compulsory in; every program without one. */
  stream?: 'Science' | 'Commerce';
}

/** The subjects that are compulsory in most schools. Other subjects of 11 and 12 are the school's own choice. */
export const usualSubjects: readonly UsualSubject[] = [
  { name: 'English', code: 'ENG', kind: 'Language', from: -2, to: 12 },
  { name: 'Hindi', code: 'HIN', kind: 'Language', from: 1, to: 10 },
  { name: 'Mathematics', code: 'MAT', kind: 'Scholastic', from: -2, to: 10 },
  { name: 'Environment', code: 'EVS', kind: 'Scholastic', from: -2, to: 5 },
  { name: 'Science', code: 'SCI', kind: 'Scholastic', from: 6, to: 10, hasPractical: true },
  { name: 'Social science', code: 'SST', kind: 'Scholastic', from: 6, to: 10 },
  { name: 'Computer', code: 'COM', kind: 'Vocational', from: 1, to: 10, hasPractical: true },
  { name: 'Art', code: 'ART', kind: 'Co-scholastic', from: -2, to: 8 },
  { name: 'Physical education', code: 'PE', kind: 'Activity', from: -2, to: 12 },
  { name: 'Physics', code: 'PHY', kind: 'Scholastic', from: 11, to: 12, hasPractical: true, stream: 'Science' },
  { name: 'Chemistry', code: 'CHE', kind: 'Scholastic', from: 11, to: 12, hasPractical: true, stream: 'Science' },
  { name: 'Accountancy', code: 'ACC', kind: 'Scholastic', from: 11, to: 12, stream: 'Commerce' },
  { name: 'Business studies', code: 'BST', kind: 'Scholastic', from: 11, to: 12, stream: 'Commerce' },
];
