// triton-ascend 3.2.0, row_kernel, BLOCK_SIZE = 1024, Ascend910B: COURSE_BACKEND=npu python tests/ascend/lower.py
module {
  func.func @row_kernel(%arg0: memref<?xi8>, %arg1: memref<?xi8>, %arg2: memref<?xf32> {tt.tensor_kind = 1 : i32}, %arg3: memref<?xf32> {tt.tensor_kind = 0 : i32}, %arg4: i32, %arg5: i32, %arg6: i32, %arg7: i32, %arg8: i32, %arg9: i32, %arg10: i32, %arg11: i32, %arg12: i32) attributes {SyncBlockLockArgIdx = 0 : i64, WorkspaceArgIdx = 1 : i64, global_kernel = "local", mix_mode = "aiv", parallel_mode = "simd"} {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %c1024 = arith.constant 1024 : index
    %c0 = arith.constant 0 : index
    %0 = arith.extsi %arg10 : i32 to i64
    %1 = arith.extsi %arg5 : i32 to i64
    %2 = arith.muli %0, %1 : i64
    %3 = arith.index_cast %2 : i64 to index
    %reinterpret_cast = memref.reinterpret_cast %arg3 to offset: [%3], sizes: [1024], strides: [1] : memref<?xf32> to memref<1024xf32, strided<[1], offset: ?>>
    %alloc = memref.alloc() : memref<1024xf32>
    %4 = arith.index_cast %arg6 : i32 to index
    %5 = arith.maxsi %4, %c0 : index
    %6 = arith.minsi %5, %c1024 : index
    %7 = arith.cmpi slt, %6, %c1024 : index
    scf.if %7 {
      linalg.fill ins(%cst_0 : f32) outs(%alloc : memref<1024xf32>)
    } {hivm.unlikely_condition}
    %subview = memref.subview %reinterpret_cast[0] [%6] [1] : memref<1024xf32, strided<[1], offset: ?>> to memref<?xf32, strided<[1], offset: ?>>
    %subview_1 = memref.subview %alloc[0] [%6] [1] : memref<1024xf32> to memref<?xf32, strided<[1]>>
    memref.copy %subview, %subview_1 : memref<?xf32, strided<[1], offset: ?>> to memref<?xf32, strided<[1]>>
    %8 = bufferization.to_tensor %alloc restrict writable : memref<1024xf32>
    %9 = bufferization.alloc_tensor() : tensor<f32>
    %10 = linalg.fill ins(%cst_0 : f32) outs(%9 : tensor<f32>) -> tensor<f32>
    %reduced = linalg.reduce ins(%8 : tensor<1024xf32>) outs(%10 : tensor<f32>) dimensions = [0] 
      (%in: f32, %init: f32) {
        %22 = arith.maxnumf %in, %init : f32
        linalg.yield %22 : f32
      }
    %extracted = tensor.extract %reduced[] : tensor<f32>
    %11 = tensor.empty() : tensor<1024xf32>
    %12 = linalg.fill ins(%extracted : f32) outs(%11 : tensor<1024xf32>) -> tensor<1024xf32>
    %13 = arith.subf %8, %12 : tensor<1024xf32>
    %14 = math.exp %13 : tensor<1024xf32>
    %15 = bufferization.alloc_tensor() : tensor<f32>
    %16 = linalg.fill ins(%cst : f32) outs(%15 : tensor<f32>) -> tensor<f32>
    %reduced_2 = linalg.reduce ins(%14 : tensor<1024xf32>) outs(%16 : tensor<f32>) dimensions = [0] 
      (%in: f32, %init: f32) {
        %22 = arith.addf %in, %init : f32
        linalg.yield %22 : f32
      }
    %extracted_3 = tensor.extract %reduced_2[] : tensor<f32>
    %17 = linalg.fill ins(%extracted_3 : f32) outs(%11 : tensor<1024xf32>) -> tensor<1024xf32>
    %18 = arith.divf %14, %17 : tensor<1024xf32>
    %19 = arith.extsi %arg4 : i32 to i64
    %20 = arith.muli %0, %19 : i64
    %21 = arith.index_cast %20 : i64 to index
    %reinterpret_cast_4 = memref.reinterpret_cast %arg2 to offset: [%21], sizes: [1024], strides: [1] : memref<?xf32> to memref<1024xf32, strided<[1], offset: ?>>
    %extracted_slice = tensor.extract_slice %18[0] [%6] [1] : tensor<1024xf32> to tensor<?xf32>
    %subview_5 = memref.subview %reinterpret_cast_4[0] [%6] [1] : memref<1024xf32, strided<[1], offset: ?>> to memref<?xf32, strided<[1], offset: ?>>
    bufferization.materialize_in_destination %extracted_slice in writable %subview_5 : (tensor<?xf32>, memref<?xf32, strided<[1], offset: ?>>) -> ()
    return
  }
}

