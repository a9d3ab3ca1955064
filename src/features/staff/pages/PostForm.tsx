import { Trans, useLingui } from '@lingui/react/macro';
import { type RefObject, useState } from 'react';
import { staffNames } from '#access/contract/staff-names.ts';
import { employmentTypeMaster, staffCategoryMaster } from '#features/hris/contract/masters.ts';
import { branchMaster, departmentMaster, designationMaster } from '#features/school/contract/masters.ts';
import { ApiForm } from '#kit/browser/form/ApiForm.tsx';
import { DateField } from '#kit/browser/form/DateField.tsx';
import { FormButtons } from '#kit/browser/form/FormDialog.tsx';
import { OptionField } from '#kit/browser/form/OptionField.tsx';
import { translate } from '#kit/browser/text.ts';
import { Notice } from '#kit/browser/ui/Notice.tsx';
import { today } from '#kit/browser/ui/show.ts';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { staleMessage } from '#kit/contract/errors.ts';
import { type StaffPost, type StaffRecord, staffRecordApi } from '../contract/record.ts';

interface Props {
  record: StaffRecord;
  /** What the person works as so far. */
  post: StaffPost | undefined;
  close: () => void;
  isChanged: RefObject<boolean>;
}

/** Another post from a day on. */
export function PostForm({ record: { id, version }, post, close, isChanged }: Props) {
  const { t } = useLingui();
  const toast = useToast();
  const [isStale, setStale] = useState(false);
  const asText = (chosen: number | null | undefined) => String(chosen ?? '');
  const { values } = post ?? {};
  return (
    <>
      {isStale && <Notice role="alert">{translate(staleMessage)}</Notice>}
      <ApiForm
        endpoint={staffRecordApi.savePost}
        initial={{
          from: today(),
          designationId: asText(values?.designationId),
          departmentId: asText(values?.departmentId),
          branchId: asText(values?.branchId),
          staffCategoryId: asText(values?.staffCategoryId),
          employmentTypeId: asText(values?.employmentTypeId),
          reportsToId: asText(values?.reportsToId),
        }}
        hiddenValues={{ id, version }}
        label={t`Change post…`}
        onStale={() => setStale(true)}
        onDone={() => {
          close();
          toast({ kind: 'success', title: t`Saved.` });
        }}
        buttons={(isSending, hasChanged) => {
          isChanged.current = hasChanged;
          return <FormButtons isSending={isSending} close={close} words={<Trans>Save</Trans>} />;
        }}
      >
        <DateField name="from" hint={<Trans>The post before it ends the day before.</Trans>} />
        <OptionField name="designationId" options={designationMaster.api.options} />
        <OptionField name="departmentId" options={departmentMaster.api.options} />
        <OptionField name="branchId" options={branchMaster.api.options} />
        <OptionField name="staffCategoryId" options={staffCategoryMaster.api.options} />
        <OptionField name="employmentTypeId" options={employmentTypeMaster.api.options} />
        <OptionField name="reportsToId" options={staffNames.options} without={String(id)} />
      </ApiForm>
    </>
  );
}
