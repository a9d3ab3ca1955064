import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { useMay } from '#features/sign-in/ui/use-may.ts';
import { FieldControls } from '#kit/browser/form/FieldControl.tsx';
import { RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { RecordList } from '#kit/browser/list/RecordList.tsx';
import { translate } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Chip } from '#kit/browser/ui/Chip.tsx';
import { PageHead } from '#kit/browser/ui/PageHead.tsx';
import { usePageNavigate } from '#kit/browser/ui/PageLink.tsx';
import { emptyValuesOf } from '#kit/contract/field.ts';
import { transportPages } from '../contract/pages.ts';
import { routeApi, routeFields, routeList } from '../contract/route.ts';

/** /school-erp/transport/route: the routes of both directions, and how full they are. */
export function RouteListPage() {
  const { t } = useLingui();
  const [isAdding, setAdding] = useState(false);
  const add = useMay(routeApi.create) ? () => setAdding(true) : undefined;
  return (
    <>
      <PageHead title={translate(transportPages[3].title)} />
      <RecordList
        list={routeList}
        open={({ id }) => ({ to: '/school-erp/transport/route/$routeID', params: { routeID: String(id) } })}
        cells={{
          used: ({ used }) => (used !== null && used > 90 ? <Chip kind="warn">{used}</Chip> : (used ?? '')),
        }}
        onAdd={add}
        empty={{
          message: <Trans>Add stops first, then build a route.</Trans>,
          children: add && (
            <Button kind="main" onClick={add}>
              {t`Add route`}
            </Button>
          ),
        }}
      />
      {isAdding && <AddRoute onClose={() => setAdding(false)} />}
    </>
  );
}

function AddRoute({ onClose }: { onClose: () => void }) {
  const { t } = useLingui();
  const navigate = usePageNavigate();
  return (
    <RecordForm
      title={t`Add route`}
      about={t`The stops come next.`}
      endpoint={routeApi.create}
      initial={{ ...emptyValuesOf(routeFields), direction: 'Pickup' }}
      saved={null}
      onDone={({ id }) => navigate({ to: '/school-erp/transport/route/$routeID', params: { routeID: String(id) } })}
      onClose={onClose}
    >
      <FieldControls fields={routeFields} />
    </RecordForm>
  );
}
