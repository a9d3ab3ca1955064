interface Section {
  program: string;
  branch: string;
}

/**
 * The suffix that distinguishes sections with the same name: their program and branch, where there are several; else
 * ''.
 */
export function apartness(sections: readonly Section[]): (section: Section) => string {
  const hasPrograms = new Set(sections.map(({ program }) => program)).size > 1;
  const hasBranches = new Set(sections.map(({ branch }) => branch)).size > 1;
  return ({ program, branch }) => [hasPrograms && program, hasBranches && branch].filter(Boolean).join(', ');
}
