import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { calendarApi } from '#features/calendar/contract/calendar.ts';
import { yearApi } from '#features/calendar/contract/year.ts';
import { CalendarImport } from '#features/calendar/ui/CalendarImport.ts';
import { ReadFailed } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { translate } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { DialogButtons } from '#kit/browser/ui/Dialog.tsx';
import { SideDialog } from '#kit/browser/ui/SideDialog.tsx';
import { setUpMessages } from '../contract/set-up.ts';

interface Props {
  onClose: () => void;
}

/** The weekly offs and the holidays of the current year. */
export function CalendarForm({ onClose }: Props) {
  const years = useRead(yearApi.list, {});
  const year = years.data?.find(({ isCurrent }) => isCurrent);
  if (year) return <OfYear academicYearId={year.id} onClose={onClose} />;
  if (years.data)
    return (
      <Instead onClose={onClose}>
        <p>{translate(setUpMessages.noYear)}</p>
      </Instead>
    );
  if (!years.error) return null;
  return (
    <Instead onClose={onClose}>
      <ReadFailed query={years} />
    </Instead>
  );
}

function OfYear({ academicYearId, onClose }: Props & { academicYearId: number }) {
  const calendar = useRead(calendarApi.read, { academicYearId });
  if (calendar.data) {
    const { startsOn, endsOn, weeklyOff } = calendar.data;
    return <CalendarImport {...{ academicYearId, startsOn, endsOn, weeklyOff, onClose }} />;
  }
  if (!calendar.error) return null;
  return (
    <Instead onClose={onClose}>
      <ReadFailed query={calendar} />
    </Instead>
  );
}

/** The reason why there is no form. */
function Instead({ onClose, children }: Props & { children: ReactNode }) {
  const { t } = useLingui();
  return (
    <SideDialog title={t`Weekly offs and holidays`} onClose={onClose}>
      {(close) => (
        <>
          {children}
          <DialogButtons>
            <Button onClick={close}>
              <Trans>Close</Trans>
            </Button>
          </DialogButtons>
        </>
      )}
    </SideDialog>
  );
}
