import { Body, Query } from '@nestjs/common';
import { ObjectPipe } from './object.pipe';
import { ShapePipe } from './shape.pipe';

const OBJECT = new ObjectPipe();
const SHAPE = new ShapePipe();

/**
 * Give a handler the body, or the query parameters, in the shape of the parameter's class, or refuse the request. The only way to
 * either: Nest's own decorators would hand over whatever was sent. The pipe stands here and not before every parameter of
 * every handler, because most of these are no callers' words, and each would take its way through the pipe.
 *
 * @example
 * manageStatus(@ValidatedBody() body: ManageStatusDto): Promise<void> { ... }
 */
export const ValidatedBody = () => Body(SHAPE);
/** As {@link ValidatedBody}, of a body that must be an object. */
export const ValidatedObject = () => Body(OBJECT, SHAPE);
export const ValidatedQuery = () => Query(SHAPE);
