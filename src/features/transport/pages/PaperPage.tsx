import { Trans } from '@lingui/react/macro';
import { RecordList } from '#kit/browser/list/RecordList.tsx';
import { translate } from '#kit/browser/text.ts';
import { Chip } from '#kit/browser/ui/Chip.tsx';
import { PageHead } from '#kit/browser/ui/PageHead.tsx';
import { today } from '#kit/browser/ui/show.ts';
import { showDate } from '#kit/contract/day.ts';
import { paperPage } from '../contract/pages.ts';
import { paperList, soonDays } from '../contract/papers.ts';
import { addedDays } from './days.ts';

/** /school-erp/transport/paper: the papers of vehicles, drivers and attendants by the day on which they expire. */
export function PaperPage() {
  return (
    <>
      <PageHead title={translate(paperPage.title)} />
      <RecordList
        list={paperList}
        open={({ owner, name }) =>
          owner === 'Vehicle'
            ? { to: '/school-erp/transport/vehicle', search: { tab: 'vehicle-document', search: name } }
            : { to: '/school-erp/transport/', search: { tab: 'crew', search: name } }
        }
        cells={{ expiresOn: ({ expiresOn }) => <LastDay day={expiresOn} /> }}
        empty={{ message: <Trans>Vehicles with their documents, drivers and attendants come first.</Trans> }}
      />
    </>
  );
}

function LastDay({ day }: { day: string }) {
  if (day === '')
    return (
      <Chip kind="bad">
        <Trans>Missing</Trans>
      </Chip>
    );
  if (day > addedDays(today(), soonDays)) return showDate(day, today());
  return <Chip kind={day < today() ? 'bad' : 'warn'}>{showDate(day, today())}</Chip>;
}
