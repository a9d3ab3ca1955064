import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { usePreview } from '#kit/browser/data/preview.tsx';
import { translateOption } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { CardTable } from '#kit/browser/ui/CardTable.tsx';
import { PreviewDialog } from '#kit/browser/ui/PreviewDialog.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { type RollRule, sectionStudentApi } from '../contract/section-student.ts';

interface Props {
  /** The year whose sections are numbered. */
  year: { id: number; name: string };
  /** The order; '' for the school's. */
  rule: RollRule | '';
}

/** Numbers all sections of a year that are not locked, after a preview with a line for each. */
export function NumberSections({ year, rule }: Props) {
  const { t } = useLingui();
  const toast = useToast();
  const preview = usePreview(sectionStudentApi.numberAll);
  const { sections = [], locked = [], rule: order = '' } = preview.shown?.answer ?? {};
  const changing = sections.filter(({ changed }) => changed > 0);
  const numbers = changing.reduce((sum, { changed }) => sum + changed, 0);
  return (
    <>
      <Button onClick={() => void preview.show({ academicYearId: year.id, rule })}>
        <Trans>Number all sections…</Trans>
      </Button>
      {!preview.shown && preview.problem}
      <PreviewDialog
        preview={preview}
        title={t`Number the sections of ${year.name}`}
        confirm={<Trans>Number</Trans>}
        onApplied={() => toast({ kind: 'success', title: t`Numbered.`, of: year.name })}
        details={
          <>
            {changing.length > 0 && (
              <CardTable
                caption={<Trans>Sections whose roll numbers change</Trans>}
                heads={[t`Section`, t`Students`, t`Changed`]}
                rows={changing.map(({ id, name, students, changed }) => ({
                  key: id,
                  cells: [name, students, changed],
                }))}
              />
            )}
            {locked.length > 0 && (
              <p>
                <Trans>Locked, and left as they are: {locked.join('; ')}</Trans>
              </p>
            )}
          </>
        }
      >
        {numbers === 0 ? (
          <Trans>The roll numbers are in this order already: {translateOption(order)}.</Trans>
        ) : (
          <Plural
            value={numbers}
            one={`Order: ${translateOption(order)}. # roll number will change. Printed lists will be out of date.`}
            other={`Order: ${translateOption(order)}. # roll numbers will change. Printed lists will be out of date.`}
          />
        )}
      </PreviewDialog>
    </>
  );
}
