import { Body, Query } from '@nestjs/common';
import { ObjectPipe, ShapePipe } from './shape.pipe';

const OBJECT = new ObjectPipe();
const SHAPE = new ShapePipe();

/**
 * Pass the body, or the query parameters, to a handler in the shape of the parameter's class, or refuse the request. Do
 * not use Nest's own decorators, which pass on whatever was sent. The pipe is attached here instead of globally,
 * because most parameters of handlers do not come from callers, and each would pass through it.
 *
 * @example
 * manageStatus(@ValidatedBody() body: ManageStatusDto): Promise<void> { ... }
 */
export const ValidatedBody = () => Body(SHAPE);
/** As {@link ValidatedBody}, for a body that must be an object. */
export const ValidatedObject = () => Body(OBJECT, SHAPE);
export const ValidatedQuery = () => Query(SHAPE);
