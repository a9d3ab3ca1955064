interface Rights {
  isStaff: boolean;
  isAdmin: boolean;
  isActive: boolean;
  sets: readonly string[];
}

/** The rights of an account as its audit rows keep them. */
export const rightsOf = ({ isStaff, isAdmin, isActive, sets }: Rights) =>
  [isActive ? 'active' : 'closed', isStaff && 'Staff', isAdmin && 'Admin', ...sets].filter(Boolean).join(' ');
