import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { useMay } from '#features/sign-in/ui/use-may.ts';
import { RecordList } from '#kit/browser/list/RecordList.tsx';
import { translate, translateOption } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { PageHead } from '#kit/browser/ui/PageHead.tsx';
import { Status } from '#kit/browser/ui/Status.tsx';
import { feePages } from '../contract/pages.ts';
import { type StructureState, structureApi, structureList } from '../contract/structure.ts';
import { AddStructure } from './AddStructure.tsx';
import { stateKinds } from './state-kinds.ts';

/** /school-erp/fee/fee-structure-allocation: the prices of each year, in versions. */
export function StructureListPage() {
  const { t } = useLingui();
  const [isAdding, setAdding] = useState(false);
  const add = useMay(structureApi.create) ? () => setAdding(true) : undefined;
  return (
    <>
      <PageHead title={translate(feePages[2].title)} />
      <RecordList
        list={structureList}
        open={({ id }) => ({
          to: '/school-erp/fee/fee-structure-allocation/$structureID',
          params: { structureID: String(id) },
        })}
        cells={{
          status: ({ status }) => (
            <Status kind={stateKinds[status as StructureState]}>{translateOption(status)}</Status>
          ),
        }}
        onAdd={add}
        empty={{
          message: add ? <Trans>Set the prices of a grade first.</Trans> : <Trans>No published prices yet.</Trans>,
          children: add && (
            <Button kind="main" onClick={add}>
              {t`Add fee structure`}
            </Button>
          ),
        }}
      />
      {isAdding && <AddStructure onClose={() => setAdding(false)} />}
    </>
  );
}
