interface Rights {
  isStaff: boolean;
  isAdmin: boolean;
  isActive: boolean;
  sets: readonly string[];
  /** The codes of the branches that the sets are limited to. */
  branches: readonly string[];
}

/** The rights of an account as its audit rows keep them. */
export const rightsOf = ({ isStaff, isAdmin, isActive, sets, branches }: Rights) =>
  [
    isActive ? 'active' : 'closed',
    isStaff && 'Staff',
    isAdmin && 'Admin',
    ...sets,
    branches.length > 0 && `in ${branches.join(' ')}`,
  ]
    .filter(Boolean)
    .join(' ');
