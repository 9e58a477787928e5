import { type ReactNode, useId } from 'react'
import { Button } from './button.tsx'
import { Dialog, type DialogProps } from './dialog.tsx'
import type { Form } from './use-form.ts'

interface FormDialogProps extends Omit<DialogProps, 'footer'> {
  form: Form
  submitLabel: string
  /** In place of the Cancel button. */
  otherButton?: ReactNode
  /** Shown before the fields. */
  before?: ReactNode
  /** Shown after the fields. */
  after?: ReactNode
}

/** A dialog with a form, whose fields are the children. */
export function FormDialog(props: FormDialogProps) {
  const { form, submitLabel, otherButton, before, after, children, ...dialog } = props
  const id = useId()
  return (
    <Dialog
      {...dialog}
      footer={
        <>
          {otherButton || <Button onClick={dialog.onClose}>Cancel</Button>}
          <Button type="submit" form={id} variant="primary" loading={form.busy}>
            {submitLabel}
          </Button>
        </>
      }
    >
      {before}
      <form id={id} {...form.props} className="flex flex-col gap-4">
        {children}
      </form>
      {form.error !== null && (
        <p role="alert" className="text-sm text-danger">
          {form.error}
        </p>
      )}
      {after}
    </Dialog>
  )
}
