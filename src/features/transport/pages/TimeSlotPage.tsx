import { Trans, useLingui } from '@lingui/react/macro';
import { useMay } from '#features/sign-in/ui/use-may.ts';
import { useAction } from '#kit/browser/data/action.ts';
import { useRead } from '#kit/browser/data/read.ts';
import { MastersPage } from '#kit/browser/master/MastersPage.tsx';
import { listsOf } from '#kit/browser/master/master-lists.tsx';
import { translate } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Notice } from '#kit/browser/ui/Notice.tsx';
import { backToTitle } from '#kit/browser/ui/PageHead.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { timeSlotMaster } from '../contract/masters.ts';
import { transportPages } from '../contract/pages.ts';
import { usualSlotApi, usualSlots } from '../contract/usual-slots.ts';

/** /school-erp/transport/time-slot: when trips run. */
export function TimeSlotPage() {
  const mayChange = useMay(timeSlotMaster.api.create);
  return (
    <MastersPage
      page={transportPages[1]}
      above={mayChange && <UsualSlots />}
      bodies={listsOf([timeSlotMaster], !mayChange)}
    />
  );
}

/** Offers the usual time slots while there are none. */
function UsualSlots() {
  const { t } = useLingui();
  const toast = useToast();
  const { data } = useRead(timeSlotMaster.api.options, {});
  const usual = useAction(usualSlotApi.addUsualSlots);
  if (data?.length !== 0) return null;
  const add = async () => {
    if (!(await usual.run({}))) return;
    backToTitle();
    toast({ kind: 'success', title: t`Time slots added. Edit their times where yours differ.` });
  };
  return (
    <Notice as="div">
      <p>
        <Trans>Start with the usual time slots and edit them:</Trans>
      </p>
      <ul>
        {usualSlots.map(({ name, starts, ends, grades }) => (
          <li key={name.id}>
            {translate(name)}, {starts}–{ends}
            {grades === 'Pre-primary' && (
              <>
                , <Trans>where there are pre-primary grades</Trans>
              </>
            )}
          </li>
        ))}
      </ul>
      <div className="summary-buttons">
        <Button kind="main" isBusy={usual.isBusy} onClick={() => void add()}>
          <Trans>Add these time slots</Trans>
        </Button>
      </div>
      {usual.problem}
    </Notice>
  );
}
