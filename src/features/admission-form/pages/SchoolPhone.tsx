import { configuration } from '#features/school/ui/configuration.ts';

/** The school's phone number, to be tapped. */
export function SchoolPhone({ className }: { className?: string }) {
  const { schoolPhone } = configuration();
  return (
    <a className={className} href={`tel:${schoolPhone.replace(/[^+0-9]/g, '')}`}>
      {schoolPhone}
    </a>
  );
}
