import { Trans, useLingui } from '@lingui/react/macro';
import { calendarApi } from '#features/calendar/contract/calendar.ts';
import { yearApi } from '#features/calendar/contract/year.ts';
import { CalendarImport } from '#features/calendar/ui/CalendarImport.ts';
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
  const { t } = useLingui();
  const { data: years } = useRead(yearApi.list, {});
  const year = years?.find(({ status }) => status === 'Current');
  if (year) return <OfYear academicYearId={year.id} onClose={onClose} />;
  if (!years) return null;
  return (
    <SideDialog title={t`Weekly offs and holidays`} onClose={onClose}>
      {(close) => (
        <>
          <p>{translate(setUpMessages.noYear)}</p>
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

function OfYear({ academicYearId, onClose }: Props & { academicYearId: number }) {
  const { data } = useRead(calendarApi.read, { academicYearId });
  if (!data) return null;
  const { startsOn, endsOn, weeklyOff } = data;
  return (
    <CalendarImport
      academicYearId={academicYearId}
      startsOn={startsOn}
      endsOn={endsOn}
      weeklyOff={weeklyOff}
      onClose={onClose}
    />
  );
}
